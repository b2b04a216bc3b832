/** A word or phrase that the field does not use, and what it is called instead. */
export type DialectWord = { readonly word: string; readonly instead: string; readonly kinds?: readonly FindingKind[] };
export type FindingKind = 'identifier' | 'comment' | 'string';

const names: readonly FindingKind[] = ['identifier'];

/**
 * The code was once written in a private vocabulary. Each entry is a word of it, written as one or several lower-case words;
 * identifiers are split into words before they are compared, so `keepLetter` contains `letter`.
 */
export const dialectWords: readonly DialectWord[] = [
  // Sentences without a subject.
  { word: 'whoever', instead: 'the actor: caller, operator, process' },
  { word: 'whom', instead: 'the recipient or the requester' },
  { word: 'wherever', instead: 'the condition' },
  { word: 'nobody', instead: 'no user, no request, null' },
  { word: 'somebody', instead: 'a user, another process' },
  { word: 'told', instead: 'notified, logged, reported, returned' },
  { word: 'tells', instead: 'notifies, logs, reports, returns' },
  { word: 'stands', instead: 'is stored, is listed, remains' },
  { word: 'hears', instead: 'receives, listens' },
  { word: 'heard', instead: 'received, logged' },
  { word: 'comes again', instead: 'retries' },
  { word: 'goes on', instead: 'continues, resumes' },
  { word: 'go on', instead: 'continue, resume' },
  { word: 'there is no such', instead: 'does not exist' },
  { word: 'by itself', instead: 'automatically' },
  { word: 'carry out', instead: 'execute, apply' },
  { word: 'carried out', instead: 'executed, applied' },
  { word: 'asked', instead: 'the name of the query or command', kinds: names },
  { word: 'who', instead: 'identity, requester, actor', kinds: names },
  // Metaphors.
  { word: 'house', instead: 'codebase, installation' },
  { word: 'room', instead: 'module, capacity' },
  { word: 'rooms', instead: 'modules' },
  { word: 'river', instead: 'data flow' },
  { word: 'rung', instead: 'rule' },
  { word: 'rungs', instead: 'rules' },
  { word: 'door', instead: 'postback endpoint, request checks' },
  { word: 'doors', instead: 'endpoints' },
  { word: 'knock', instead: 'AuthAttempt' },
  { word: 'crowd', instead: 'tenant queue, load' },
  { word: 'fate', instead: 'outcome' },
  { word: 'fates', instead: 'outcomes' },
  { word: 'patience', instead: 'deadline' },
  { word: 'recurrence', instead: 'schedule' },
  { word: 'stretch', instead: 'chunk' },
  { word: 'family', instead: 'supervisor, worker processes' },
  { word: 'lights', instead: 'integration checks' },
  { word: 'desk', instead: 'the name of the page or fixture' },
  { word: 'death', instead: 'crash' },
  { word: 'deaths', instead: 'crashes' },
  { word: 'stray', instead: 'unmatched' },
  // Words that the field uses for something else, or not at all.
  { word: 'fault', instead: 'error, violation, finding' },
  { word: 'faults', instead: 'errors, violations, findings' },
  { word: 'mend', instead: 'fix, update, replace' },
  { word: 'mended', instead: 'fixed, updated, replaced' },
  { word: 'news', instead: 'webhook events from the payment provider' },
  { word: 'letter', instead: 'email; for writing: character' },
  { word: 'letters', instead: 'emails; for writing: characters' },
  { word: 'figures', instead: 'metrics, totals, rollups, stats' },
  { word: 'standing', instead: 'status, eligibility' },
  { word: 'chance', instead: 'random, seed' },
  { word: 'night', instead: 'scheduled jobs' },
  { word: 'nights', instead: 'scheduled jobs' },
  { word: 'rehearse', instead: 'dry run' },
  { word: 'gather', instead: 'collect, draft' },
  { word: 'gathered', instead: 'collected, drafted' },
  { word: 'bill', instead: 'invoice' },
  { word: 'bills', instead: 'invoices' },
  { word: 'shop', instead: 'store' },
  { word: 'shops', instead: 'stores' },
];

/** Where one of these words is the right one. `path` is a prefix; `text` is removed before the words are compared. */
export const exceptions: ReadonlyArray<{ readonly path: string; readonly word: string; readonly why: string; readonly text?: RegExp }> = [
  { path: '', word: 'house', text: /house numbers?/gi, why: 'the number of a building in an address' },
  { path: '', word: 'shop', text: /[\w.-]*shop[\w-]*\.(example|internal|test|localhost|invalid)/gi, why: 'example host names' },
  { path: '', word: 'letter', text: /letter-?spacing|capital letters?|lower-?case letters?|upper-?case letters?/gi, why: 'typography' },
  { path: '', word: 'family', text: /font-?family/gi, why: 'the CSS property' },
  { path: '', word: 'stretch', text: /align-?(items|self|content)\W+stretch/gi, why: 'the CSS value' },
  { path: '', word: 'asked', text: /\b(fee|second person) asked\b|^asked at$/g, why: 'fields of the API' },
  { path: 'src/risk/risk-settings-api.ts', word: 'asked', why: 'a field of the API' },
  { path: 'test/risk/two-person-settings.test.ts', word: 'asked', why: 'a field of the API' },
  { path: '', word: 'news', text: /^news Id$/g, why: "the field of the sandbox's stored webhook events" },
  { path: 'test/', word: 'night', text: /^night$/g, why: 'a field of the API' },
  { path: 'src/people/one-time-links.ts', word: 'asked', why: 'a key of the details in the audit log' },
  { path: 'demo/', word: 'shop', why: 'the demo is a web shop' },
  { path: 'demo/', word: 'shops', why: 'the demo is a web shop' },
  { path: 'scripts/demo.ts', word: 'shop', why: 'starts the demo, a web shop' },
  { path: 'test/demo/', word: 'shop', why: 'tests the demo, a web shop' },
  { path: 'sdk/', word: 'shop', why: "speaks to merchants about their own web shop's code" },
  { path: 'test/architecture/dialect', word: '*', why: 'lists the words, and examples of violations' },
];
