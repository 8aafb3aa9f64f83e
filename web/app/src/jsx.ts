// What JSX becomes. It takes less room than the calls of preact/jsx-runtime, with the names of children.
export { Fragment, h } from "preact";
