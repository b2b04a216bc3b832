/**
 * The results of statements of one transaction that are sent together. Throws the failure of the earliest one: it aborts the transaction,
 * and the server then rejects the later ones with an error that says nothing about the cause.
 */
export async function inOrder<const Results extends readonly unknown[]>(
  statements: Results,
): Promise<{ -readonly [Place in keyof Results]: Awaited<Results[Place]> }> {
  const outcomes = await Promise.allSettled(statements);
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed) throw failed.reason;
  return Promise.all(statements);
}
