import { publishing } from '../../shared/events/handler.ts';
import { observedBackground } from '../../shared/lambda/observed.ts';
import { registry } from '../registry.ts';

export const handler = observedBackground('events', publishing(registry));
