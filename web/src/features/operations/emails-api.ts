import { apiPath } from '../../api/operations.ts';
import { apiQuery } from '../../ui/queries.ts';

/** The newest emails, for the overview. */
export const newestEmailsQuery = apiQuery(apiPath('/mails', {}, { limit: 5 }));

/** Cached without limit, because the audit log records each request. */
export const emailQuery = (mail: string) => ({ ...apiQuery(apiPath('/mails/{mail}', { mail })), staleTime: Number.POSITIVE_INFINITY });
