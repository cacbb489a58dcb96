import { auditing } from '../../shared/lambda/auditing.ts';

export const handler = auditing;
