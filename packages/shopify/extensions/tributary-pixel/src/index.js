import { register } from '@shopify/web-pixels-extension';
import { watchCheckouts } from './watch-checkouts.js';

register(watchCheckouts);
