/** What is put into a page before its own scripts, to see with the page's own clock what a person would see. */
interface PageProbe {
  /** When a test first held: ms since the page began to be opened, at the end of the frame that showed it. */
  shownAt(isShown: () => boolean): Promise<number>;
  /** What of the page scrolls and holds the conversation. */
  scroller(): Element | undefined;
  /** A text is on the screen, and what scrolls is at its end. */
  isLast(text: string): boolean;
  /** A link with this text can be clicked, and the page itself shows the text. */
  isHome(text: string): boolean;
}

declare global {
  interface Window {
    probe: PageProbe;
  }
}

/** Runs in the page; it must hold everything it uses. */
export function installProbe(): void {
  const afterPaint = (done: (at: number) => void) => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => done(performance.now());
    channel.port2.postMessage(undefined);
  };
  const isAtEnd = (box: Element) => box.scrollHeight - box.clientHeight - box.scrollTop < 8;
  const inSight = (text: string, root: Element) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      if (node.nodeValue?.includes(text) !== true) continue;
      const box = node.parentElement!.getBoundingClientRect();
      if (box.height > 0 && box.bottom > 0 && box.top < innerHeight) return true;
    }
    return false;
  };
  window.probe = {
    shownAt: (isShown) =>
      new Promise((resolve, reject) => {
        const late = performance.now() + 30_000;
        const look = () => {
          if (isShown()) afterPaint(resolve);
          else if (performance.now() > late) reject(new Error('It was not shown within 30 s.'));
          else requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
      }),
    scroller() {
      const log = document.querySelector('[role="log"]');
      const isBox = (box: Element) =>
        box.scrollHeight > box.clientHeight + 8 && /auto|scroll/.test(getComputedStyle(box).overflowY);
      for (let box = log; box !== null; box = box.parentElement) if (isBox(box)) return box;
      return [...(log?.querySelectorAll('*') ?? [])].find(isBox);
    },
    isLast(text) {
      const log = document.querySelector('[role="log"]');
      if (log === null || !inSight(text, log)) return false;
      const box = window.probe.scroller();
      return box === undefined || isAtEnd(box);
    },
    isHome(text) {
      const [main, link] = [document.querySelector('main'), document.querySelector('nav a')];
      if (main === null || link === null || !inSight(text, main)) return false;
      const { x, y, width, height } = link.getBoundingClientRect();
      return link.contains(document.elementFromPoint(x + width / 2, y + height / 2));
    },
  };
}
