/** The package's own types are under another name, and want a browser's. Declared is what is used. */
declare module '@mixmark-io/domino' {
  export interface DomNode {
    readonly nodeType: number;
    readonly nodeName: string;
    readonly childNodes: ArrayLike<DomNode> & Iterable<DomNode>;
    readonly firstChild: DomNode | null;
    readonly parentNode: DomElement | null;
    readonly textContent: string;
  }

  export interface DomElement extends DomNode {
    readonly className: string;
    readonly innerHTML: string;
    getAttribute(name: string): string | null;
    setAttribute(name: string, value: string): void;
    remove(): void;
    /** Where nothing is found it is one or the other. */
    querySelector(selector: string): DomElement | null | undefined;
    querySelectorAll(selector: string): ArrayLike<DomElement>;
    getElementsByTagName(name: string): ArrayLike<DomElement>;
    readonly children: ArrayLike<DomElement>;
  }

  export interface DomDocument extends DomElement {
    readonly title: string;
    readonly body: DomElement;
  }

  export function createDocument(html?: string, force?: boolean): DomDocument;
}
