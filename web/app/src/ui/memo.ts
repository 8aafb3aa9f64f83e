import { Component, type ComponentChild, type ComponentType } from "preact";

/** Returns a component that is rendered again only if one of its props has changed. */
export function memo<P extends object>(render: (props: P) => ComponentChild): ComponentType<P> {
  return class extends Component<P> {
    override shouldComponentUpdate(next: Readonly<P>): boolean {
      const props: Readonly<P> = this.props;
      return (Object.keys({ ...props, ...next }) as (keyof P)[]).some(key => props[key] !== next[key]);
    }
    override render(): ComponentChild {
      return render(this.props);
    }
  };
}
