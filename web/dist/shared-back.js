import{e as u}from"./shared-page.js";import{i as r,j as t}from"./shared-preact.js";function i(e,c=!0){let{layers:n}=u(),o=t(e);o.current=e,r(()=>c?n.open(()=>o.current()):void 0,[])}export{i as a};
