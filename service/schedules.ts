import type { Schedule } from '../shared/resource/schedule.ts';
import { scheduleDefinitions } from './definitions.ts';

/** The schedules of the service. */
export const schedules: readonly Schedule[] = (await scheduleDefinitions()).map(({ schedule }) => schedule);
