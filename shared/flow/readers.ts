import { json } from '../representations/json.ts';
import type { Reader } from '../representations/representation.ts';

/** The media types that an item can be sent in. */
export const READERS: readonly Reader[] = [json];
