import { serve } from '../../shared/lambda/serve.ts';
import { add } from './resource.ts';

export const handler = serve(add);
