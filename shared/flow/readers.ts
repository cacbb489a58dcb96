import { json } from '../representations/json.ts';
import type { Reader } from '../representations/representation.ts';
import { xml } from '../representations/xml.ts';

/** The formats that an item can be sent in. */
export const READERS: readonly Reader[] = [json, xml];
