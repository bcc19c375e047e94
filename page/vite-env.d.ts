/** Vite takes style sheets from imports, and gives the addresses of pictures. */
declare module '*.css';
declare module '*.svg' {
  const address: string;
  export default address;
}
