import { currentTime } from '../shared/aws/clock.ts';

/** Returns the current day in UTC, as fields of the kind `date` have it: `2026-12-31`. Source: RFC 3339 §5.6, full-date. */
export const today = (): string => new Date(currentTime()).toISOString().slice(0, 10);
