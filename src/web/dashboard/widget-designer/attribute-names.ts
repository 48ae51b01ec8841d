/** `newConversation` as attributes have it: `new-conversation`. */
export const dashFrom = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
