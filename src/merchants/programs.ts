import type { Queryable } from '../db/database.ts';
import { notFound, refuse, type FieldError, type Refusal } from '../http/responses.ts';
import { newId, type Id } from '../core/ids.ts';
import { invariant } from '../core/invariant.ts';
import { decidePause, decidePublish } from './decide-publish.ts';
import { decideSettings, settingsUsual, versionsForNewSettings, type SettingsChange } from './decide-settings.ts';
import { readDestination } from './destination.ts';
import { addVersions } from './program-terms.ts';
import { countPrograms, insertProgram, lockProgram, updateProgram, type Program, type ProgramName } from './programs-sql.ts';
import { findAndShareStore, findStore, lockStore } from './stores-sql.ts';
import { termsOfProgram } from './terms-sql.ts';

export const programsPerStoreMax = 500;

type NewProgram = SettingsChange & { readonly storeId: Id<'store'>; readonly name: string; readonly landingUrl: string; readonly at: Date };

export async function createProgram(db: Queryable, { storeId, name, landingUrl, at, ...asked }: NewProgram): Promise<Program | Refusal> {
  await lockStore(db, storeId);
  if ((await countPrograms(db, storeId)) >= programsPerStoreMax) {
    return refuse('limit_reached', `A store has at most ${programsPerStoreMax} programs.`);
  }
  const landing = await readLanding(db, storeId, landingUrl);
  if (landing.is === 'wrong') return unprocessable(landing.fault);
  const decision = decideSettings(settingsUsual, asked);
  if (decision.do === 'refuse') return unprocessable(decision.fault);
  const settings = decision.do === 'change' ? decision.settings : settingsUsual;
  return insertProgram(db, { ...settings, storeId, programId: newId<'prog'>(at), name, landingUrl: landing.href, createdAt: at });
}

type ProgramChange = SettingsChange & { readonly name?: string | undefined; readonly landingUrl?: string | undefined };

export async function changeProgram(db: Queryable, of: ProgramName, change: ProgramChange, at: Date): Promise<Program | Refusal> {
  if (change.landingUrl !== undefined) await findAndShareStore(db, of.storeId);
  const former = await lockProgram(db, of);
  if (former === null) return notFound;
  const landing = change.landingUrl === undefined ? null : await readLanding(db, of.storeId, change.landingUrl);
  if (landing?.is === 'wrong') return unprocessable(landing.fault);
  const decision = decideSettings(former, change);
  if (decision.do === 'refuse') return unprocessable(decision.fault);

  const named = { ...former, name: change.name ?? former.name, landingUrl: landing?.href ?? former.landingUrl };
  if (decision.do === 'keep') return updateProgram(db, named);
  const program = { ...named, ...decision.settings };
  const versions = await termsOfProgram(db, of);
  const refusal = await addVersions(db, program, { versions, next: versionsForNewSettings(versions, at), at });
  return refusal ?? updateProgram(db, program);
}

export async function publishProgram(db: Queryable, of: ProgramName, at: Date): Promise<Program | Refusal> {
  const program = await lockProgram(db, of);
  if (program === null) return notFound;
  const store = await findStore(db, of.storeId);
  invariant(store !== null, 'a program belongs to a store');
  const hasTerms = (await termsOfProgram(db, of)).length > 0;
  const decision = decidePublish({ status: program.status, isTrackingOn: store.trackingOnAt !== null, hasTerms });
  if (decision.do === 'refuse') return refuse(decision.reason, decision.message);
  if (decision.do === 'keep') return program;
  return updateProgram(db, { ...program, status: 'published', firstPublishedAt: program.firstPublishedAt ?? at });
}

export async function pauseProgram(db: Queryable, of: ProgramName): Promise<Program | Refusal> {
  const program = await lockProgram(db, of);
  if (program === null) return notFound;
  const decision = decidePause(program);
  if (decision.do === 'refuse') return refuse(decision.reason, decision.message);
  return decision.do === 'keep' ? program : updateProgram(db, { ...program, status: 'paused' });
}

type Landing = { readonly is: 'good'; readonly href: string } | { readonly is: 'wrong'; readonly fault: FieldError };

async function readLanding(db: Queryable, storeId: Id<'store'>, landingUrl: string): Promise<Landing> {
  const store = await findStore(db, storeId);
  invariant(store !== null, 'the request has access to the store, so it exists');
  const destination = readDestination(landingUrl, store.siteUrl);
  return destination.is === 'good' ? destination : { is: 'wrong', fault: { field: 'landing_url', message: destination.message } };
}

const unprocessable = (fault: FieldError): Refusal => refuse('unprocessable', 'A program cannot be so; see errors.', [fault]);
