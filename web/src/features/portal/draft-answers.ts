/**
 * Answers to the questions of a program that were typed but not sent, on this device. They are deleted when the application is sent, and
 * ignored after a week, because devices can be shared. Without storage, nothing is kept.
 */
const keptMs = 7 * 24 * 60 * 60 * 1_000;
const keyOf = (program: string): string => `application ${program}`;

type Drafts = Readonly<Record<string, string>>;

export function readDraftAnswers(program: string): Drafts {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(keyOf(program)) ?? 'null');
    if (!isStored(stored) || stored.at < Date.now() - keptMs) return {};
    return Object.fromEntries(Object.entries(stored.answers).filter(([, answer]) => typeof answer === 'string'));
  } catch {
    return {};
  }
}

type Stored = { readonly at: number; readonly answers: Drafts };

const isStored = (value: unknown): value is Stored =>
  typeof value === 'object' &&
  value !== null &&
  'at' in value &&
  typeof value.at === 'number' &&
  'answers' in value &&
  typeof value.answers === 'object' &&
  value.answers !== null;

export function storeDraftAnswer(program: string, question: string, answer: string): void {
  try {
    const answers = { ...readDraftAnswers(program), [question]: answer };
    localStorage.setItem(keyOf(program), JSON.stringify({ at: Date.now(), answers }));
  } catch {
    // The storage is full or blocked: the answer is typed again.
  }
}

export function clearDraftAnswers(program: string): void {
  try {
    localStorage.removeItem(keyOf(program));
  } catch {
    // Without storage, nothing was kept.
  }
}
