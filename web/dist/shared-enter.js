import{_25a as r,_25b as m,_25c as u,_25d as s}from"./app.js";function _({route:a},o){(a.value.room!==o||a.value.message)&&a.go(o),setTimeout(s)}export{_ as a};
