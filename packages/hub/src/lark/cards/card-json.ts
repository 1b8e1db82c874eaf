/**
 * The part of Lark's card JSON 2.0 that our cards are made of, spelled as on the wire.
 *
 * Two things in it are not Lark's and are filled in when the card is sent (see `fill-card.ts`): a button names the place
 * of its action in the post, and an image names the attachment that it shows.
 */
export interface CardJson {
  schema: '2.0';
  config: CardConfig;
  header?: CardHeader;
  body: { elements: CardElement[] };
}

/** How a card behaves. `streaming_mode` and the summary are set by what sends it. */
interface CardConfig {
  update_multi: true;
  width_mode: 'fill';
  streaming_mode?: boolean;
  streaming_config?: Readonly<Record<string, unknown>>;
  summary?: { content: string };
}

/** The colours of headers, borders and icons. */
export type CardColour = 'blue' | 'orange' | 'green' | 'red' | 'grey';

/** The bar at the top of a card. */
interface CardHeader {
  template: CardColour;
  title: PlainText;
  subtitle?: PlainText;
}

/** Words in which nothing is markup. */
interface PlainText {
  tag: 'plain_text';
  content: string;
}

/** One thing in a card. */
export type CardElement =
  | MarkdownElement
  | PanelElement
  | ImageElement
  | ButtonElement
  | InputElement
  | FormElement
  | ColumnsElement
  | { tag: 'hr' };

/** Text in Lark's own Markdown. The one element whose content can be streamed, where it has an id. */
export interface MarkdownElement {
  tag: 'markdown';
  element_id?: string;
  content: string;
  text_size?: 'normal' | 'notation';
}

/** Something that is folded away under a title. */
export interface PanelElement {
  tag: 'collapsible_panel';
  element_id?: string;
  expanded: boolean;
  header: {
    title: Omit<MarkdownElement, 'element_id'>;
    vertical_align?: 'center';
    icon?: { tag: 'standard_icon'; token: string; color: CardColour; size: string };
    icon_position?: 'left' | 'right' | 'follow_text';
    icon_expanded_angle?: number;
  };
  border?: { color: CardColour; corner_radius: string };
  padding?: string;
  vertical_spacing?: string;
  elements: CardElement[];
}

/** An image. Before it is sent it has no key and names its attachment instead. */
export interface ImageElement {
  tag: 'img';
  element_id?: string;
  img_key: string;
  alt: PlainText;
  scale_type?: 'fit_horizontal';
  preview?: boolean;
  /** The `url` of the block that it shows; never sent. */
  dragoman_attachment?: string;
}

/** A button. */
export interface ButtonElement {
  tag: 'button';
  element_id?: string;
  text: PlainText;
  type: 'default' | 'primary' | 'danger' | 'primary_filled' | 'danger_filled' | 'text';
  size?: 'small' | 'medium';
  /** In a form: sends what was filled in along with it. */
  form_action_type?: 'submit';
  name?: string;
  behaviors: ButtonBehavior[];
}

/** What a press does. Before the card is sent, `action` is the place of the action in the post; then it is what the press brings back. */
type ButtonBehavior =
  | { type: 'callback'; value: { action: number | string } }
  | { type: 'open_url'; default_url: string };

/** A field to write in. */
interface InputElement {
  tag: 'input';
  name: string;
  input_type: 'multiline_text';
  rows: number;
  max_length: number;
  placeholder: PlainText;
  required: boolean;
  width: 'fill';
}

/** Fields that are sent together. */
export interface FormElement {
  tag: 'form';
  element_id?: string;
  name: string;
  elements: CardElement[];
}

/** Things side by side, in the next line where there is no room. */
export interface ColumnsElement {
  tag: 'column_set';
  element_id?: string;
  flex_mode: 'flow';
  horizontal_spacing: string;
  columns: { tag: 'column'; width: 'auto'; elements: CardElement[] }[];
}
