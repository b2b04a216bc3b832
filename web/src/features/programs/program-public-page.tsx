import { AnchorButton, Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { toasts } from '../../ui/toasts.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { Program, ProgramPage } from '../../../../sdk/src/api-schema.ts';
import { api } from '../../api/client.ts';
import { apiPath } from '../../api/operations.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { TextField } from '../../ui/fields.tsx';
import { fieldError, Form, readValues, type Values } from '../../ui/form.tsx';
import { Section } from '../../ui/page.tsx';
import { apiQuery, refresh } from '../../ui/queries.ts';
import { QueryView } from '../../ui/query-view.tsx';
import { TextAreaField } from '../../ui/text-area-field.tsx';
import { MarkdownText } from '../portal/markdown-text.tsx';
import { programPath } from './programs-api.ts';
import styles from './terms.module.css';
import { t } from './messages.ts';

const faqMax = 20;
const logoBytesMax = 200_000;

type EditorProps = { readonly store: string; readonly program: Program };

/** What a merchant shows on the public page of the program, beside its terms. */
export function ProgramPublicPage({ store, program }: EditorProps) {
  const page = useQuery(apiQuery(apiPath('/stores/{store}/programs/{program}/page', { store, program: program.id })));
  const isPublic = program.first_published_at !== null && page.data !== undefined;
  return (
    <Section
      title={t.program_public_page.public_page}
      intro={t.program_public_page.intro}
      actions={
        isPublic && (
          <AnchorButton variant="default" size="xs" href={page.data.url} target="_blank" rel="noopener">
            {t.program_public_page.view_page}
          </AnchorButton>
        )
      }
    >
      <QueryView query={page}>
        {(data) => (
          <div className={styles.group}>
            <LogoForm store={store} program={program} logo={data.logo} />
            <ContentForm store={store} program={program} page={data} />
          </div>
        )}
      </QueryView>
    </Section>
  );
}

type Faq = ProgramPage['faq'];

function ContentForm({ store, program, page }: EditorProps & { readonly page: ProgramPage }) {
  const client = useQueryClient();
  const container = useRef<HTMLDivElement>(null);
  const [drafts, setDrafts] = useState(page.faq.map((entry, key) => ({ key, entry })));
  const [preview, setPreview] = useState<Pick<ProgramPage, 'description' | 'accent_color' | 'faq'>>(page);
  const read = (values: Values) => ({
    description: values.text('description'),
    accent_color: values.text('accent_color'),
    faq: drafts.map((_draft, index) => ({ question: values.text(`faq.${index}.question`), answer: values.text(`faq.${index}.answer`) })),
    is_listed: values.text('is_listed') === 'on',
  });
  const updatePreview = () => {
    const form = container.current?.closest('form');
    if (form) setPreview(read(readValues(new FormData(form))));
  };
  const done = async () => {
    toasts.show({ message: t.program_public_page.page_saved });
    await refresh(client, programPath(store, program.id));
  };
  return (
    <Form
      send={(values) => api.put(apiPath('/stores/{store}/programs/{program}/page', { store, program: program.id }), read(values))}
      done={done}
      submit={t.program_public_page.save_page}
      warnsOnLeave
    >
      <div className={styles.group} ref={container} onInput={updatePreview}>
        <TextAreaField
          name="description"
          label={t.program_public_page.description}
          description={t.program_public_page.markdown}
          defaultValue={page.description}
          maxLength={5_000}
          optional
          rows={3}
        />
        <TextField
          name="accent_color"
          label={t.program_public_page.accent_color}
          description={t.program_public_page.accent_help}
          type="color"
          defaultValue={page.accent_color}
        />
        <FaqList drafts={drafts} setDrafts={setDrafts} />
        <Checkbox name="is_listed" label={t.program_public_page.listed} defaultChecked={page.is_listed} />
      </div>
      <PagePreview {...preview} name={program.name} />
    </Form>
  );
}

type FaqDraft = { readonly key: number; readonly entry: Faq[number] };
type FaqListProps = { readonly drafts: readonly FaqDraft[]; readonly setDrafts: (drafts: FaqDraft[]) => void };

function FaqList({ drafts, setDrafts }: FaqListProps) {
  const nextKey = Math.max(-1, ...drafts.map(({ key }) => key)) + 1;
  return (
    <>
      {drafts.map(({ key, entry }, index) => (
        <FaqFields key={key} index={index} entry={entry} remove={() => setDrafts(drafts.filter((draft) => draft.key !== key))} />
      ))}
      {drafts.length < faqMax && (
        <div>
          <Button variant="default" size="xs" onClick={() => setDrafts([...drafts, { key: nextKey, entry: { question: '', answer: '' } }])}>
            {t.program_public_page.add_question}
          </Button>
        </div>
      )}
    </>
  );
}

type FaqFieldsProps = { readonly index: number; readonly entry: Faq[number]; readonly remove: () => void };

function FaqFields({ index, entry, remove }: FaqFieldsProps) {
  const number = index + 1;
  return (
    <fieldset className={styles.question}>
      <legend>{t.program_public_page.question({ number })}</legend>
      <TextField
        name={`faq.${index}.question`}
        label={t.program_public_page.question_label}
        maxLength={200}
        defaultValue={entry.question}
      />
      <TextAreaField
        name={`faq.${index}.answer`}
        label={t.program_public_page.answer}
        maxLength={2_000}
        defaultValue={entry.answer}
        rows={2}
      />
      <div className={styles.questionFoot}>
        <Button variant="subtle" color="red" size="xs" aria-label={t.program_public_page.remove_question({ number })} onClick={remove}>
          {t.program_public_page.remove}
        </Button>
      </div>
    </fieldset>
  );
}

type PreviewProps = { readonly name: string; readonly description: string; readonly accent_color: string; readonly faq: Faq };

function PagePreview({ name, description, accent_color: accent, faq }: PreviewProps) {
  return (
    <section className={styles.preview} aria-label={t.program_public_page.preview} style={{ borderTopColor: accent }}>
      <h3>{name}</h3>
      <MarkdownText text={description} />
      {faq.map(({ question, answer }, index) => (
        <div key={index}>
          <strong>{question}</strong>
          <MarkdownText text={answer} />
        </div>
      ))}
    </section>
  );
}

function LogoForm({ store, program, logo }: EditorProps & Pick<ProgramPage, 'logo'>) {
  const client = useQueryClient();
  const file = useRef<HTMLInputElement>(null);
  const path = apiPath('/stores/{store}/programs/{program}/page/logo', { store, program: program.id });
  const done = () => refresh(client, programPath(store, program.id));
  const remove = useMutation({ mutationFn: () => api.delete(path), onSuccess: done });
  const send = async () => {
    const chosen = file.current?.files?.[0];
    if (chosen === undefined || chosen.size > logoBytesMax) throw fieldError('image_data', t.program_public_page.must_be_an_image);
    return api.put(path, { image_data: await readBase64(chosen) });
  };
  return (
    <Form
      send={send}
      done={async () => {
        toasts.show({ message: t.program_public_page.logo_saved });
        await done();
      }}
      clears
      submit={t.program_public_page.upload_logo}
      beside={
        logo && (
          <Button variant="subtle" color="red" loading={remove.isPending} onClick={() => remove.mutate()}>
            {t.program_public_page.remove_logo}
          </Button>
        )
      }
    >
      <ErrorAlert error={remove.error} />
      {logo && <img className={styles.logo} src={`data:${logo.type};base64,${logo.image_data}`} alt={t.program_public_page.current_logo} />}
      <TextField
        ref={file}
        type="file"
        accept="image/png,image/jpeg,image/webp"
        name="image_data"
        label={t.program_public_page.logo}
        description={t.program_public_page.logo_help}
      />
    </Form>
  );
}

/** The part of a data URL after its comma. */
const readBase64 = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(typeof reader.result === 'string' ? reader.result.replace(/^[^,]*,/, '') : ''));
    reader.addEventListener('error', () => reject(reader.error ?? new Error('the file was not read')));
    reader.readAsDataURL(file);
  });
