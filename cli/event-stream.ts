const eventCharactersMax = 1_000_000;

/** Yields the data of each server-sent event as text. Comments and other fields are skipped. */
export async function* eventsIn({ body }: Response): AsyncGenerator<string> {
  if (body === null) return;
  const decoder = new TextDecoder();
  let waiting = '';
  // Leaving the loop closes the connection.
  for await (const chunk of body) {
    waiting += decoder.decode(chunk, { stream: true });
    for (let end = waiting.indexOf('\n\n'); end !== -1; end = waiting.indexOf('\n\n')) {
      const data = readEventData(waiting.slice(0, end));
      waiting = waiting.slice(end + 2);
      if (data !== null) yield data;
    }
    if (waiting.length > eventCharactersMax) return;
  }
}

function readEventData(event: string): string | null {
  const lines = event.split('\n').filter((line) => line.startsWith('data:'));
  return lines.length === 0 ? null : lines.map((line) => line.slice('data:'.length).replace(/^ /, '')).join('\n');
}
