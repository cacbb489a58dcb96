import { publishing } from '../../shared/events/handler.ts';
import { registry } from '../registry.ts';

export const handler = publishing(registry);
