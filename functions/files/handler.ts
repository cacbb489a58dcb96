import { serve } from '../../shared/lambda/serve.ts';
import { files } from './resource.ts';

export const handler = serve(files);
