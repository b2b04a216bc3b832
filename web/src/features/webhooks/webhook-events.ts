import { t } from './messages.ts';

/** The events with their descriptions, in the order in which they happen. */
export const eventDescriptions = t.webhook_events;

export const eventTypes: readonly string[] = Object.keys(eventDescriptions);

/** "everything" is easier to read than a list of every name. */
export function eventsText(events: readonly string[]): string {
  return eventTypes.every((type) => events.includes(type)) ? 'everything' : events.join(', ');
}
