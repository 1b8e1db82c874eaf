import { createContext } from 'react';

/** Whether something is inside of a link, where nothing else can be pressed. */
export const InLinkContext = createContext(false);
