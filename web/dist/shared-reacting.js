import{D as t,p as o}from"./shared-hooks.js";import{react as i}from"./more.js";function s(e,r,a){o.value&&i(o.value,e,r,a).catch(t)}export{s as a};
