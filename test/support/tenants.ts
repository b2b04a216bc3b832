import type { Database } from '../../src/db/database.ts';
import { openTenantDatabases, type TenantDatabases } from '../../src/db/tenant-database.ts';

/** All stores in one database. */
export const tenantsOf = (database: Database): TenantDatabases =>
  openTenantDatabases({ home: database, openNode: () => database, onWarning: () => {} });
