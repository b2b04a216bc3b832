import { Type as T } from 'typebox';
import type { Static } from '../core/static.ts';
import { newId, publicId, type Id } from '../core/ids.ts';
import type { Queryable } from '../db/database.ts';
import { isoTime, isoTimeOrNull, namedObject, orNull, textField } from '../http/fields.ts';
import { notFound, refuse } from '../http/responses.ts';
import { endpoint } from '../people/endpoint.ts';
import { strictObject } from '../people/fields.ts';
import { listEndpoint } from '../people/list-endpoint.ts';
import { countNotes, deleteNote, insertNote, listNotes, updateNote, type CreatorNote } from './creator-notes-sql.ts';
import { listMembershipsOfCreator } from './members-sql.ts';
import { apiMessage } from '../messages/api-message.ts';

export const noteLengthMax = 2_000;
const notesMax = 500;
const ids = { creator: 'crt' } as const;
const noteIds = { creator: 'crt', note: 'note' } as const;
const canRead = { allow: 'store', permission: 'store:read' } as const;
const canWrite = { allow: 'store', permission: 'programs:write' } as const;

const noteJson = namedObject('CreatorNote', {
  id: T.String(),
  text: T.String(),
  author: T.String({ description: '`user_…` or `key_…`' }),
  author_name: T.String(),
  created_at: T.String(),
  edited_at: orNull(T.String()),
});
const noteBody = strictObject({ text: textField(noteLengthMax) });

const showNote = ({ noteId, text, author, authorName, createdAt, editedAt }: CreatorNote): Static<typeof noteJson> => ({
  id: publicId('note', noteId),
  text,
  author,
  author_name: authorName,
  created_at: isoTime(createdAt),
  edited_at: isoTimeOrNull(editedAt),
});

type CreatorOfStore = { readonly store: Id<'store'>; readonly creator: Id<'crt'> };

const isCreatorOfStore = async (db: Queryable, { store, creator }: CreatorOfStore): Promise<boolean> =>
  (await listMembershipsOfCreator(db, { creatorId: creator, storeIds: [store] }, { after: null, limit: 1 })).length > 0;

export const listNotesEndpoint = listEndpoint({
  summary: "List the team's notes about a creator, newest first; the creator never sees them",
  access: canRead,
  ids,
  item: noteJson,
  exists: ({ db, ids: path }) => isCreatorOfStore(db, path),
  rows: ({ db, ids: path }, page) => listNotes(db, { storeId: path.store, creatorId: path.creator }, page),
  renderer: () => showNote,
  key: ({ noteId }) => [noteId],
});

export const addNoteEndpoint = endpoint({
  summary: 'Add a note about a creator',
  access: canWrite,
  ids,
  body: noteBody,
  reply: noteJson,
  status: 201,
  audit: 'creator_note.add',
  async handle({ db, ids: path, body, identity, now }) {
    if (!(await isCreatorOfStore(db, path))) return notFound;
    const key = { storeId: path.store, creatorId: path.creator };
    if ((await countNotes(db, key)) >= notesMax)
      return refuse('limit_reached', apiMessage('creator_notes_api.creator_can_have_at_most', { notesMax }));
    const { actor: author, name: authorName } = identity;
    return showNote(await insertNote(db, { ...key, noteId: newId<'note'>(now), text: body.text, author, authorName, createdAt: now }));
  },
});

export const changeNoteEndpoint = endpoint({
  summary: 'Change the text of a note',
  access: canWrite,
  ids: noteIds,
  body: noteBody,
  reply: noteJson,
  audit: 'creator_note.change',
  async handle({ db, ids: { store: storeId, creator: creatorId, note: noteId }, body, now }) {
    const note = await updateNote(db, { storeId, creatorId, noteId, text: body.text, at: now });
    return note === null ? notFound : showNote(note);
  },
});

export const deleteNoteEndpoint = endpoint({
  summary: 'Delete a note',
  access: canWrite,
  ids: noteIds,
  status: 204,
  audit: 'creator_note.delete',
  handle: async ({ db, ids: { store: storeId, creator: creatorId, note: noteId } }) =>
    (await deleteNote(db, { storeId, creatorId, noteId })) === 0 ? notFound : undefined,
});
