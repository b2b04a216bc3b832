import { openPlaces } from '../contract/places.ts';

/** Each feed asks the database twice a second, more often in a storm: a dashboard opens one, and a team that looks on together some. */
export const feedsOfStoreMax = 20;
/** Of all stores, in one process. The last of them are for stores that have few. */
export const feedsMax = 200;

/** Places among the feeds of this process, by the store that is followed. */
export const feedPlaces = openPlaces(feedsMax, feedsOfStoreMax);
