import { auditing } from '../../shared/lambda/logs/auditing.ts';

export const handler = auditing;
