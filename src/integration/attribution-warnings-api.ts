import { Type as T } from 'typebox';
import { publicId } from '../core/ids.ts';
import { namedObject } from '../http/fields.ts';
import { lastPage } from '../http/page.ts';
import { listPrograms } from '../merchants/programs-sql.ts';
import { programsPerStoreMax } from '../merchants/programs.ts';
import { termsOfPrograms } from '../merchants/terms-sql.ts';
import { termsInForce } from '../merchants/terms.ts';
import { apiMessage } from '../messages/api-message.ts';
import { endpoint } from '../people/endpoint.ts';
import { countEarningCodes, seenInOrders, seenLeadKinds } from './attribution-settings-sql.ts';
import { attributionWarnings, lintAttribution, type AttributionWarning } from './lint-attribution.ts';

const ordersMax = 200;
const leadsMax = 200;

const warningJson = namedObject('AttributionWarning', {
  warning: T.Enum([...attributionWarnings], { title: 'AttributionWarningKind' }),
  program_id: T.String(),
  program_name: T.String(),
  message: T.String({ description: 'What is contradictory, and what to do' }),
});

const messages = {
  codes_off_with_codes: 'attribution_warning.codes_off_with_codes',
  codes_on_without_codes: 'attribution_warning.codes_on_without_codes',
  codes_never_named: 'attribution_warning.codes_never_named',
  before_click_in_one_program: 'attribution_warning.before_click_in_one_program',
  limit_without_customer_ids: 'attribution_warning.limit_without_customer_ids',
  returning_without_customer_ids: 'attribution_warning.returning_without_customer_ids',
  leads_never_reported: 'attribution_warning.leads_never_reported',
  lead_kind_not_paid: 'attribution_warning.lead_kind_not_paid',
} as const satisfies Readonly<Record<AttributionWarning['warning'], string>>;

export const attributionWarningsEndpoint = endpoint({
  summary: 'List settings for codes, returning customers, and leads that contradict each other or the latest reports',
  access: { allow: 'store', permission: 'store:read' },
  reply: namedObject('AttributionWarnings', { data: T.Array(warningJson), next_cursor: lastPage }),
  async handle({ db, ids, now }) {
    const programs = await listPrograms(db, ids.store, { after: null, limit: programsPerStoreMax });
    const terms = await termsOfPrograms(db, programs);
    const counts = new Map((await countEarningCodes(db, ids.store, now)).map((of) => [of.programId, of]));
    const kinds = new Map((await seenLeadKinds(db, ids.store, leadsMax)).map((of) => [of.programId, of.kinds]));
    const settings = programs.flatMap(({ programId, name }) => {
      const inForce = termsInForce(terms.get(programId) ?? [], now);
      if (inForce === null) return [];
      const of = counts.get(programId);
      return [
        {
          programId: publicId('prog', programId),
          name,
          attribution: inForce.attribution,
          codes: Number(of?.codes ?? 0n),
          limitedCodes: Number(of?.limitedCodes ?? 0n),
          leadKinds: kinds.get(programId) ?? [],
        },
      ];
    });
    const found = lintAttribution(settings, await seenInOrders(db, ids.store, ordersMax));
    return {
      data: found.map(({ warning, programId, programName }) => ({
        warning,
        program_id: programId,
        program_name: programName,
        message: apiMessage(messages[warning], { program: programName }),
      })),
      next_cursor: null,
    };
  },
});
