import type { Queryable } from '../db/database.ts';
import { emptySql, sql, texts, uuids } from '../db/sql.ts';
import type { Page } from '../http/page.ts';
import type { Id } from '../core/ids.ts';

export type CreatorNote = {
  readonly storeId: Id<'store'>;
  readonly noteId: Id<'note'>;
  readonly creatorId: Id<'crt'>;
  readonly text: string;
  /** Like the actor of an audit entry. */
  readonly author: string;
  readonly authorName: string;
  readonly createdAt: Date;
  readonly editedAt: Date | null;
};

const columns = sql`store_id, note_id, creator_id, text, author, author_name, created_at, edited_at`;

export const insertNote = (db: Queryable, note: Omit<CreatorNote, 'editedAt'>): Promise<CreatorNote> =>
  db.one(sql`
    insert into creator_notes (store_id, note_id, creator_id, text, author, author_name, created_at)
    values (${note.storeId}, ${note.noteId}, ${note.creatorId}, ${note.text}, ${note.author}, ${note.authorName}, ${note.createdAt})
    returning ${columns}`);

type NotesKey = Pick<CreatorNote, 'storeId' | 'creatorId'>;
type NoteKey = NotesKey & Pick<CreatorNote, 'noteId'>;

export async function countNotes(db: Queryable, { storeId, creatorId }: NotesKey): Promise<number> {
  const { count } = await db.one<{ count: bigint }>(sql`
    select count(*) as count from creator_notes where store_id = ${storeId} and creator_id = ${creatorId}`);
  return Number(count);
}

/** Newest first. */
export const listNotes = (db: Queryable, { storeId, creatorId }: NotesKey, { after, limit }: Page): Promise<CreatorNote[]> =>
  db.all(sql`
    select ${columns} from creator_notes
    where store_id = ${storeId} and creator_id = ${creatorId} ${after === null ? emptySql : sql`and note_id < ${after[0]}`}
    order by note_id desc limit ${limit + 1}`);

export const updateNote = (
  db: Queryable,
  { storeId, creatorId, noteId, text, at }: NoteKey & { readonly text: string; readonly at: Date },
): Promise<CreatorNote | null> =>
  db.find(sql`
    update creator_notes set text = ${text}, edited_at = ${at}
    where store_id = ${storeId} and creator_id = ${creatorId} and note_id = ${noteId} returning ${columns}`);

export const deleteNote = (db: Queryable, { storeId, creatorId, noteId }: NoteKey): Promise<number> =>
  db.run(sql`delete from creator_notes where store_id = ${storeId} and creator_id = ${creatorId} and note_id = ${noteId}`);

type Authors = { readonly actors: readonly string[]; readonly storeIds: ReadonlyArray<Id<'store'>>; readonly name: string };

/** Scans the notes of the stores in which the person acted, because notes are few. */
export const eraseNoteAuthor = (db: Queryable, { actors, storeIds, name }: Authors): Promise<number> =>
  db.run(sql`
    update creator_notes set author_name = ${name} where store_id = any(${uuids(storeIds)}) and author = any(${texts(actors)})`);

export const deleteNotesAbout = (
  db: Queryable,
  { creatorId, storeIds }: { readonly creatorId: Id<'crt'>; readonly storeIds: ReadonlyArray<Id<'store'>> },
): Promise<number> => db.run(sql`delete from creator_notes where store_id = any(${uuids(storeIds)}) and creator_id = ${creatorId}`);
