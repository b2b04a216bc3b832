import { createContext, use } from 'react';

/** True where somebody looks at what is another's: what would change something is shown, and cannot be pressed. */
export const OnlyLooking = createContext(false);
export const useOnlyLooking = (): boolean => use(OnlyLooking);
