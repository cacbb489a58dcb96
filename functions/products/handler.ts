import { serve } from '../../shared/lambda/serve.ts';
import { products } from './resource.ts';

export const handler = serve(products);
