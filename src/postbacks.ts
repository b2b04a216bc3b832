import type { FastifyInstance } from 'fastify';
import type { KeyRing } from './clicks/signing-keys.ts';
import { openAnswerFigures } from './contract/answer-figures.ts';
import { registerPostbacks, type Door } from './contract/door.ts';
import { openPlaces, placesOfOne } from './contract/places.ts';
import { openWaitingLine } from './contract/waiting-line.ts';
import { rememberedDoor } from './merchants/door-memory.ts';
import type { Integration } from './merchants/integration-sql.ts';
import { openOrderPostbacks } from './orders/postbacks.ts';
import { hearFaults } from './platform/faults.ts';
import type { Platform } from './platform/platform.ts';
import { openSubscriptionPostbacks } from './subscriptions/postbacks.ts';
import { openDoorRefusals, type DoorRefusals } from './tracking/door-refusals.ts';
import { openGateLines } from './tracking/gate-lines.ts';

export type Postbacks = {
  readonly refusals: DoorRefusals;
  readonly register: (app: FastifyInstance) => void;
  readonly close: () => Promise<void>;
};

/**
 * Requests under way at once; past them the answer is 503 on headers alone. Three batches of two hundred keep the database busy: with
 * more than a thousand whoever is served only waits longer (docs/decisions/0035), so one store has no more, and others find room beside it
 * (0036).
 */
const underWayMax = 1_250;

/** The postbacks' moving parts: the door, the rooms behind it, and the log of what they answer. */
export function openPostbacks(platform: Platform, ring: KeyRing): Postbacks {
  const refusals = openDoorRefusals(platform);
  const gateLines = openGateLines(platform);
  const orders = openOrderPostbacks(platform, ring);
  const subscriptions = openSubscriptionPostbacks(platform, ring);
  const door: Door<Integration> = {
    lookUp: rememberedDoor(platform),
    places: openPlaces(underWayMax),
    // In each second as many as one store may have under way at once.
    comeAgainIn: openWaitingLine(placesOfOne(underWayMax)),
    now: platform.clock.now,
    onAnswered: openAnswerFigures(platform.metrics),
    onAuthenticated: gateLines.keep,
    onRefusedAtDoor: refusals.count,
    onFault: hearFaults(platform, 'a postback failed'),
  };
  return {
    refusals,
    register: (app) => registerPostbacks(app, door, [...orders.routes, ...subscriptions.routes]),
    async close() {
      await orders.close();
      await subscriptions.close();
      await gateLines.close();
      await refusals.close();
    },
  };
}
