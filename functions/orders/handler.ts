import { serve } from '../../shared/lambda/serve.ts';
import { orders } from './resource.ts';

export const handler = serve(orders);
