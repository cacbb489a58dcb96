import { serve } from '../../shared/lambda/serve.ts';
import { signin } from './resource.ts';

export const handler = serve(signin);
