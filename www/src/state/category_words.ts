// What categories are called.
import { say } from '../base/messages';
import type { Category } from '../engine/protocol';

export const CATEGORY_WORDS: Record<Category, string> = {
  compute: say('category-compute'),
  input: say('category-input'),
  copy: say('category-copy'),
  communication: say('category-communication'),
  launch: say('category-launch'),
  allocation: say('category-allocation'),
  waiting: say('category-waiting'),
  range: say('category-range'),
};
