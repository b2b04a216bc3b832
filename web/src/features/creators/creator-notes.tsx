import { useQueryClient } from '@tanstack/react-query';
import { Button } from '../../ui/button.tsx';
import { useState } from 'react';
import type { CreatorNote } from '../../../../sdk/src/api-schema.ts';
import { api } from '../../api/client.ts';
import { apiPath } from '../../api/operations.ts';
import { ConfirmButton, Dialog } from '../../ui/dialog.tsx';
import { Form } from '../../ui/form.tsx';
import { ListView, useShortList } from '../../ui/list.tsx';
import { Section } from '../../ui/page.tsx';
import { refresh } from '../../ui/queries.ts';
import { useReadOnly } from '../../ui/read-only.ts';
import { TextAreaField } from '../../ui/text-area-field.tsx';
import { Time } from '../../ui/time.tsx';
import { usePermission } from '../access/permissions.tsx';
import styles from './creators.module.css';
import { t } from './messages.ts';

type CreatorNotesProps = { readonly store: string; readonly creator: string };
const noteLengthMax = 2_000;

const notesPath = (params: CreatorNotesProps) => apiPath('/stores/{store}/creators/{creator}/notes', params);

/** What the team writes down about a creator. */
export function CreatorNotes(params: CreatorNotesProps) {
  const client = useQueryClient();
  const mayChange = usePermission(params.store)('programs:write');
  const list = useShortList(notesPath(params));
  const reload = () => refresh(client, apiPath('/stores/{store}/creators/{creator}', params));
  return (
    <Section title={t.creator_notes.notes} intro={t.creator_notes.only_your_team_sees_these}>
      {mayChange && (
        <Form
          send={(values) => api.post(notesPath(params), { text: values.text('text') })}
          done={reload}
          clears
          submit={t.creator_notes.add_note}
        >
          <TextAreaField name="text" label={t.creator_notes.new_note} maxLength={noteLengthMax} rows={2} />
        </Form>
      )}
      <ListView list={list} empty={<p className={styles.noNotes}>{t.creator_notes.no_notes_yet_write_down}</p>}>
        {(notes) => (
          <ul className={styles.notes}>
            {notes.map((note) => (
              <Note key={note.id} note={note} params={params} mayChange={mayChange} reload={reload} />
            ))}
          </ul>
        )}
      </ListView>
    </Section>
  );
}

type NoteProps = {
  readonly note: CreatorNote;
  readonly params: CreatorNotesProps;
  readonly mayChange: boolean;
  readonly reload: () => Promise<unknown>;
};

function Note({ note, params, mayChange, reload }: NoteProps) {
  const [isEditing, setIsEditing] = useState(false);
  const isReadOnly = useReadOnly();
  const path = apiPath('/stores/{store}/creators/{creator}/notes/{note}', { ...params, note: note.id });
  const remove = async () => {
    await api.delete(path);
    await reload();
  };
  return (
    <li>
      <p className={styles.noteText}>{note.text}</p>
      <div className={styles.noteFoot}>
        <span className={styles.muted}>
          {note.author_name}, <Time at={note.created_at} />
          {note.edited_at !== null && ` · ${t.creator_notes.edited}`}
        </span>
        {mayChange && (
          <span>
            <Button
              variant="subtle"
              size="xs"
              disabled={isReadOnly}
              aria-label={t.creator_notes.edit_the_note_of({ author: note.author_name })}
              onClick={() => setIsEditing(true)}
            >
              {t.creator_notes.edit}
            </Button>
            <ConfirmButton
              variant="subtle"
              danger
              label={t.creator_notes.delete}
              subject={t.creator_notes.the_note_of({ author: note.author_name })}
              title={t.creator_notes.delete_this_note}
              confirm={t.creator_notes.delete}
              run={remove}
            >
              <p>{t.creator_notes.you_cannot_restore_a_deleted}</p>
            </ConfirmButton>
          </span>
        )}
      </div>
      <Dialog title={t.creator_notes.edit_note} opened={isEditing} onClose={() => setIsEditing(false)}>
        <Form
          send={(values) => api.patch(path, { text: values.text('text') })}
          done={async () => {
            await reload();
            setIsEditing(false);
          }}
          submit={t.creator_notes.save}
        >
          <TextAreaField name="text" label={t.creator_notes.note} defaultValue={note.text} maxLength={noteLengthMax} rows={3} />
        </Form>
      </Dialog>
    </li>
  );
}
