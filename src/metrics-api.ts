import { endpoint } from './people/endpoint.ts';
import { sent } from './platform/http/answers.ts';

/** For Prometheus, with an operator's key as its bearer token: how much a shop sells is nobody else's business. */
export const readMetrics = endpoint({
  summary: 'Figures of this process, in the form that Prometheus reads',
  access: { who: 'operator' },
  async handle({ platform }) {
    const { registry } = platform.metrics;
    return sent({ 'content-type': registry.contentType }, await registry.metrics());
  },
});
