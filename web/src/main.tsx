import { render } from "preact";
import { App } from "./app";
import "./styles/base.css";
import "./styles/parts.css";
import "./styles/shell.css";
import "./styles/chat.css";
import "./styles/widgets.css";
import "./styles/pages.css";

const root = document.getElementById("app");
if (root) render(<App />, root);
