import { lastVerification } from './operating/verifications-sql.ts';
import { endpoint } from './people/endpoint.ts';
import { sent } from './platform/http/answers.ts';

/** For Prometheus, with an operator's key as its bearer token: how much a shop sells is nobody else's business. */
export const readMetrics = endpoint({
  summary: 'Figures of this process, and the last verification of the whole installation, in the form that Prometheus reads',
  access: { who: 'operator' },
  async handle({ platform, db }) {
    const { registry, text } = platform.metrics;
    const last = await lastVerification(db);
    const figures =
      last === null
        ? []
        : [
            gauge('last_verification_timestamp_seconds', 'When everything was verified last, in business time', last.at.getTime() / 1_000),
            gauge('last_verification_differences', 'What it found that must not be', last.differences),
            gauge('last_verification_duration_seconds', 'How long it took', Number(last.tookMs ?? 0n) / 1_000),
          ];
    return sent({ 'content-type': registry.contentType }, [await text(), ...figures].join(''));
  },
});

/** Written by hand: it is no figure of this process, and read from the database only when somebody asks. */
const gauge = (name: string, help: string, value: number): string =>
  `# HELP tributary_${name} ${help}\n# TYPE tributary_${name} gauge\ntributary_${name} ${value}\n`;
