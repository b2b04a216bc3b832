/**
 * The results of parts of one transaction that are sent together. Throws the failure of the earliest one: a part that finds that another
 * process was first is the cause, and the statements after it may be rejected because of it.
 */
export async function inOrder<const Results extends readonly unknown[]>(
  statements: Results,
): Promise<{ -readonly [Place in keyof Results]: Awaited<Results[Place]> }> {
  const outcomes = await Promise.allSettled(statements);
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed) throw failed.reason;
  return Promise.all(statements);
}
