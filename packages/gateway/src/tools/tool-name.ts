/** No provider takes a longer name of a tool. A short one in a call cannot make the results that repeat it long. */
export const MAX_TOOL_NAME = 128;
