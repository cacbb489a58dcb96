import { auditing } from './auditing.ts';

export const handler = auditing;
