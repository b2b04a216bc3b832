import type { LinkProps } from '@tanstack/react-router';
import type { ReactElement, ReactNode } from 'react';
import type { AuditEntry, AuditObject } from '../../../../sdk/src/api-schema.ts';
import { rich } from '../../messages/rich-text.tsx';
import { TextLink } from '../../ui/links.tsx';
import { t } from './messages.ts';

type AuditSentenceProps = {
  readonly entry: AuditEntry;
  /** Links stores and creators to the operator's pages. */
  readonly forOperator?: boolean;
};

/** What happened, as a sentence about the person or program that did it. */
export function AuditSentence({ entry, forOperator = false }: AuditSentenceProps) {
  const links = linksOf(entry, forOperator);
  const reason = textOf(entry.details, 'reason');
  const orderId = textOf(fieldOf(entry.details, 'filter'), 'order_id');
  const name = <Name text={nameIn(entry.details)} />;
  const names = {
    actor: <Actor entry={entry} />,
    name,
    object: <ObjectName object={entry.objects[0]} link={links} />,
    ...elementsOf(objectTypes, (type) => (
      <ObjectName object={objectOf(entry, type)} link={links}>
        {name}
      </ObjectName>
    )),
    commission: (
      <ObjectName object={objectOf(entry, 'commission')} link={links}>
        <PageName link={orderLink(entry, orderId)}>{orderId}</PageName>
      </ObjectName>
    ),
    ...elementsOf(pagesOf(entry, forOperator), (link) => <PageName link={link} />),
  };
  const endings = {
    which_commission: (objectOf(entry, 'commission') ?? orderId) && t.audit_sentence.which_commission,
    in_program: objectOf(entry, 'program') && t.audit_sentence.in_program,
    to_creator: objectOf(entry, 'creator') && t.audit_sentence.to_creator,
    because: reason && t.audit_sentence.because({ reason }),
  };
  return <span>{rich(sentenceOf(entry), { ...names, ...elementsOf(endings, (text) => <>{text && rich(text, names)}</>) })}</span>;
}

const elementsOf = <Value,>(
  values: Readonly<Record<string, Value>>,
  render: (value: Value) => ReactElement,
): Readonly<Record<string, ReactElement>> => Object.fromEntries(Object.entries(values).map(([name, value]) => [name, render(value)]));

type Sentence = string | ((values: { readonly count: number }) => string);
const sentences: Readonly<Record<string, Sentence | undefined>> = t.audit_actions;

/** An entry of a later version of the service may have an action without a sentence. */
function sentenceOf({ action, details }: AuditEntry): string {
  const sentence = sentences[`${action}.${variantOf(details)}`] ?? sentences[action];
  if (sentence === undefined) return t.audit_sentence.other_action({ action });
  return typeof sentence === 'string' ? sentence : sentence({ count: countIn(details) });
}

/** Details are the input of an operation, or what it recorded. */
const fieldOf = (details: unknown, name: string): unknown =>
  typeof details === 'object' && details !== null ? Reflect.get(details, name) : undefined;

function textOf(details: unknown, name: string): string | undefined {
  const value = fieldOf(details, name);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The end of the name of a more exact sentence: `member.change.approved`. */
function variantOf(details: unknown): string {
  const isOn = fieldOf(details, 'is_on') ?? fieldOf(details, 'in_force');
  if (typeof isOn === 'boolean') return isOn ? 'on' : 'off';
  return textOf(details, 'status') ?? textOf(details, 'decision') ?? '';
}

function countIn(details: unknown): number {
  const emails = fieldOf(details, 'emails');
  if (Array.isArray(emails)) return emails.length;
  const count = fieldOf(fieldOf(details, 'counts'), 'ok') ?? fieldOf(details, 'rows');
  return typeof count === 'number' ? count : 0;
}

const nameFields = ['name', 'email', 'subject', 'file_name', 'job', 'to', 'url', 'site_url'] as const;
const nameIn = (details: unknown): string | undefined => nameFields.map((name) => textOf(details, name)).find((text) => text !== undefined);

const objectTypes = {
  store: 'store',
  creator: 'creator',
  person: 'person',
  program: 'program',
  group: 'group',
  code: 'code',
  commission: 'commission',
  invoice: 'invoice',
} as const satisfies { readonly [Type in AuditObject['type']]: Type };

const objectOf = ({ objects }: AuditEntry, type: AuditObject['type']): AuditObject | undefined =>
  objects.find((object) => object.type === type);

const visitor = 'nobody';
export const system = 'system';

/** An entry without a person names the command line or the service itself. */
function Actor({ entry: { actor, actor_name: name } }: { readonly entry: AuditEntry }) {
  if (actor === visitor) return t.audit_sentence.visitor;
  if (actor === system) return <strong>{name === 'command line' ? t.audit_sentence.command_line : name}</strong>;
  return <strong title={actor}>{actorText({ actor, actor_name: name })}</strong>;
}

export function actorText({ actor, actor_name: name }: Pick<AuditEntry, 'actor' | 'actor_name'>): string {
  if (actor === visitor) return t.audit_sentence.visitor;
  return actor.startsWith('key_') ? t.audit_sentence.api_key({ name }) : name;
}

type NameProps = { readonly text: string | undefined; readonly children?: ReactNode };

/** The text of the tag, if there is no name. */
const Name = ({ text, children }: NameProps) => (text === undefined ? children : <strong>{text}</strong>);

type ObjectNameProps = {
  readonly object: AuditObject | undefined;
  readonly link: (object: AuditObject) => LinkProps | undefined;
  readonly children?: ReactNode;
};

function ObjectName({ object, link, children }: ObjectNameProps) {
  if (object === undefined) return children;
  const to = link(object);
  return to === undefined ? <strong>{object.name}</strong> : <TextLink {...to}>{object.name}</TextLink>;
}

type PageNameProps = { readonly link: LinkProps | undefined; readonly children?: ReactNode };

const PageName = ({ link, children }: PageNameProps) => (link === undefined ? children : <TextLink {...link}>{children}</TextLink>);

const linksOf =
  ({ store_id: store }: AuditEntry, forOperator: boolean) =>
  ({ type, id }: AuditObject): LinkProps | undefined => {
    if (forOperator && type === 'store') return { to: '/operator/stores/$storeId', params: { storeId: id } };
    if (forOperator && type === 'creator') return { to: '/operator/creators/$creatorId', params: { creatorId: id } };
    if (store === null) return undefined;
    switch (type) {
      case 'store':
        return { to: '/stores/$store/settings', params: { store } };
      case 'creator':
        return { to: '/stores/$store/creators/$creator', params: { store, creator: id } };
      case 'program':
        return { to: '/stores/$store/programs/$program', params: { store, program: id } };
      case 'commission':
        return { to: '/stores/$store/conversions', params: { store }, search: { open: id } };
      case 'invoice':
        return { to: '/stores/$store/billing', params: { store }, search: { open: id } };
      case 'code':
        return { to: '/stores/$store/codes', params: { store } };
      case 'person':
      case 'group':
        return undefined;
    }
  };

const orderLink = ({ store_id: store }: AuditEntry, orderId: string | undefined): LinkProps | undefined =>
  store === null || orderId === undefined
    ? undefined
    : { to: '/stores/$store/conversions', params: { store }, search: { order_id: orderId } };

/** The pages that sentences name. Without a link the name is plain text. */
const pagesOf = ({ store_id: store, subject }: AuditEntry, forOperator: boolean) => ({
  ...Object.fromEntries(Object.entries(storePages).map(([name, to]) => [name, store === null ? undefined : { to, params: { store } }])),
  ...Object.fromEntries(Object.entries(operatorPages).map(([name, to]) => [name, forOperator ? { to } : undefined])),
  api_keys: apiKeysPage(store, forOperator),
  webhook_endpoint: webhookEndpointPage(store, subject),
});

function webhookEndpointPage(store: string | null, subject: string): LinkProps | undefined {
  const endpoint = /\/webhook-endpoints\/(\w+)/.exec(subject)?.[1];
  return store === null || endpoint === undefined ? undefined : { to: '/stores/$store/webhooks/$endpoint', params: { store, endpoint } };
}

function apiKeysPage(store: string | null, forOperator: boolean): LinkProps | undefined {
  if (store !== null) return { to: '/stores/$store/api-keys', params: { store } };
  return forOperator ? { to: '/operator/api-keys' } : undefined;
}

const storePages = {
  billing: '/stores/$store/billing',
  creator_imports: '/stores/$store/creator-imports',
  creator_invitations: '/stores/$store/creator-invitations',
  creator_messages: '/stores/$store/creator-messages',
  customer_data: '/stores/$store/customer-data',
  disputes: '/stores/$store/disputes',
  integration: '/stores/$store/integration',
  shopify: '/stores/$store/integration/shopify',
  stripe: '/stores/$store/integration/stripe',
  subscriptions: '/stores/$store/subscriptions',
  team: '/stores/$store/team',
  webhooks: '/stores/$store/webhooks',
} as const;

const operatorPages = {
  billing_runs: '/operator/billing-runs',
  charges: '/operator/charges',
  clock: '/operator/clock',
  emails: '/operator/mails',
  jobs: '/operator/jobs',
  ledger: '/operator/ledger',
  operator_settings: '/operator/settings',
  operators: '/operator/operators',
  payouts: '/operator/payouts',
  risk: '/operator/risk',
} as const;
