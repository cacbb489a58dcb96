import { serve } from '../../shared/lambda/serve.ts';
import { root } from './resource.ts';

export const handler = serve(root);
