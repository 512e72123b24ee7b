/// <reference types="svelte" />
/// <reference types="vite/client" />

type Catalogue = Readonly<Record<string, string | Readonly<Record<string, string>>>>;
type Catalogues = Readonly<Record<string, () => Promise<{ default: Catalogue }>>>;

declare module 'virtual:languages' {
  const names: Readonly<Record<string, string>>;
  export default names;
}

declare module 'virtual:texts' {
  const catalogues: Catalogues;
  export default catalogues;
}

declare module 'virtual:long-texts' {
  const catalogues: Catalogues;
  export default catalogues;
}
