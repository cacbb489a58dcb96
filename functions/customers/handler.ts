import { serve } from '../../shared/lambda/serve.ts';
import { customers } from './resource.ts';

export const handler = serve(customers);
