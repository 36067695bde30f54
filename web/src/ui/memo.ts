/** Draw a component again only when one of its properties is another value. */
import { Component, h, type ComponentType, type FunctionComponent } from "preact";

export function memo<P extends object>(inner: FunctionComponent<P>, same: (a: P, b: P) => boolean = shallow): ComponentType<P> {
  class Memo extends Component<P> {
    static override displayName = `Memo(${inner.name})`;
    override shouldComponentUpdate(next: P): boolean {
      return !same(this.props as P, next);
    }
    override render() {
      return h(inner, this.props as P);
    }
  }
  return Memo as unknown as ComponentType<P>;
}

export function shallow(a: object, b: object): boolean {
  const left = a as Record<string, unknown>;
  const right = b as Record<string, unknown>;
  for (const key in left) if (!Object.is(left[key], right[key])) return false;
  for (const key in right) if (!(key in left)) return false;
  return true;
}
